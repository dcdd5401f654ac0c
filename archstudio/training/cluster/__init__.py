"""Training on many machines through Dask (extra `cluster`): the same workers, described in JSON, far away."""

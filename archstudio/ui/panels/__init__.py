"""What stands around the canvas: tasks, layers, inspector, verdict, problems, tables, plan, history, training."""

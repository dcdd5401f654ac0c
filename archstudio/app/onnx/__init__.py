"""ONNX models as graphs: operators become layers, weights only tell sizes."""

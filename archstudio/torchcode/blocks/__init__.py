"""The composite layers as PyTorch source: built from here, and inlined into exported files.

Modules here import torch at their top and are therefore imported only where torch is wanted anyway. Each class uses
nothing but `torch`, `nn`, `F`, `math` and other blocks by their bare name.
"""

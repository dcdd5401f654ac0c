"""Lets `python -m archstudio` be the console program."""

from archstudio.main import console

if __name__ == "__main__":
    console()

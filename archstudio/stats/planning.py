"""How many people and items a study needs for an interval of a wanted width."""

from archstudio.stats.proportions import wilson


def half_width(share: float, answers: int) -> float:
    """Half the width of the 95 % Wilson interval if a share of `answers` is right, the count rounded to a whole one."""
    low, high = wilson(round(share * answers), answers)
    return (high - low) / 2


def effective_answers(people: int, items: int, correlation: float) -> float:
    """Independent answers that `items` answers of each of `people` are worth, where a person's answers correlate.

    people · items / (1 + (items − 1) · correlation)    [L. Kish, Survey Sampling, 1965, section 5.4]
    """
    return people * items / (1 + (items - 1) * correlation)

"""Room `pricing`: rate cards, and what a metering map costs by one of them."""

from idpbench.pricing.card import RateCard, load_rate_card
from idpbench.pricing.price import Priced, price

__all__ = ["Priced", "RateCard", "load_rate_card", "price"]

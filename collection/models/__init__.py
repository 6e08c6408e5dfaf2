"""The tables of the collection: the catalog, holdings, packs, trades, and background jobs."""

from __future__ import annotations

from collection.models.binders import BinderCards, SharedBinder
from collection.models.catalog import (
    RARITIES,
    RARITY_WORDS,
    Card,
    CardInSet,
    CardSet,
    CatalogWord,
    Facet,
    Game,
)
from collection.models.holdings import (
    Collection,
    DescribedCopies,
    Holding,
    Kind,
    LedgerEntry,
    LedgerRow,
    Reason,
    Tally,
    Transfer,
    Visibility,
)
from collection.models.imports import ImportJob, ImportLine, LineVerdict
from collection.models.jobs import JobState
from collection.models.packs import Pack, PackSource
from collection.models.prints import Backs, Paper, PrintJob
from collection.models.stakes import Stake
from collection.models.trades import Trade, TradeItem, TradeState

__all__ = [
    "RARITIES",
    "RARITY_WORDS",
    "Backs",
    "BinderCards",
    "Card",
    "CardInSet",
    "CardSet",
    "CatalogWord",
    "Collection",
    "DescribedCopies",
    "Facet",
    "Game",
    "Holding",
    "ImportJob",
    "ImportLine",
    "JobState",
    "Kind",
    "LedgerEntry",
    "LedgerRow",
    "LineVerdict",
    "Pack",
    "PackSource",
    "Paper",
    "PrintJob",
    "Reason",
    "SharedBinder",
    "Stake",
    "Tally",
    "Trade",
    "TradeItem",
    "TradeState",
    "Transfer",
    "Visibility",
]

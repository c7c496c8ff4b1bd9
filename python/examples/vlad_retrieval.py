"""VLAD for retrieval: the same place from another view, by sums of residuals and by GMP.

A view has many patches of things that all places share, in proportions that change from view to view, and a few
patches of the place's own. VLAD's residuals of one visual word are usually summed; GMP makes a burst of equal patches
count once. `alcedo.pool` encodes view by view and solves block by block: memory is that of one view.
"""
from typing import Any

import alcedo
import numpy as np
from numpy.typing import NDArray

PLACES, PATCHES, OWN, DIMENSION = 150, 400, 40, 32
rng = np.random.default_rng(0)
shared = rng.normal(size=(60, DIMENSION))
own = rng.normal(size=(PLACES, OWN, DIMENSION))


def view(place: int) -> NDArray[np.float32]:
    burst = rng.choice(60, size=PATCHES - OWN, p=rng.dirichlet(np.full(60, 0.1)))
    patches = np.concatenate([shared[burst], own[place]])
    return np.asarray(patches + 0.1 * rng.normal(size=patches.shape), np.float32)


database = [view(place) for place in range(PLACES)]
queries = [view(place) for place in range(PLACES)]
vlad = alcedo.Encoder(alcedo.Codebook.fit(np.concatenate(database[:50]), clusters=32), "vlad")
settings: dict[str, dict[str, Any]] = {
    "sum": {"method": "sum"}, "sum, power 0.5": {"method": "sum", "power": 0.5},
    "sum, L2 of every word": {"method": "sum", "block_l2": True},
    "GMP": {"lambda_": 1}, "GMP, power 0.5": {"lambda_": 1, "power": 0.5}}

print(f"{PLACES} places, {PATCHES} patches in a view, {OWN} of them of the place's own")
for name, options in settings.items():
    found, asked = (alcedo.pool(views, encoder=vlad, l2=True, **options) for views in (database, queries))
    rank = 1 + (asked @ found.T > (asked * found).sum(axis=1, keepdims=True)).sum(axis=1)
    print(f"{name:22} recall@1 {np.mean(rank == 1):6.1%}   mean average precision {np.mean(1 / rank):6.1%}")

"""The points of months, computed with decimal alone: the reference for the batch of a month.

Reads a list of characters as JSON on stdin: the figures as the lore has them (null where a row is absent) and, for each
batch of the month, the points of the sessions that it settles, as people wrote them. Prints the figures after the last
batch, each with two places.
"""
import json
import sys
from decimal import ROUND_HALF_EVEN, Decimal

BASE, CAP, ZERO = Decimal(1), Decimal(5), Decimal(0)


def read(text):
    plain = ''.join(one for one in text if one not in ' \u00a0\u202f').replace(',', '.').replace('\u2212', '-')
    return Decimal(plain)


def round2(value):
    return value.quantize(Decimal('0.01'), rounding=ROUND_HALF_EVEN)


def figure(text):
    return None if text is None else round2(read(text))


def grant(points, pool):
    base = BASE + points
    used = min(CAP - base, pool) if base <= CAP and pool > 0 else ZERO
    overflow = max(base - CAP, ZERO)
    return min(base + used, CAP), pool - used + overflow


def settle(character):
    startowe, suma, zdobyte, pool = (figure(character[key]) for key in ('startowe', 'suma', 'zdobyte', 'nadmiar'))
    if startowe is not None:
        if suma is None:
            suma = startowe + (zdobyte or ZERO)
        elif zdobyte is None:
            zdobyte = suma - startowe
    suma, zdobyte, pool = suma or ZERO, zdobyte or ZERO, pool or ZERO
    first_suma, first_pool, settled, is_first = suma, pool, ZERO, True
    for texts in character['batches']:
        if not texts:
            continue
        now = settled + sum((read(text) for text in texts), ZERO)
        whole, whole_pool = grant(now, first_pool)
        granted = whole - (suma - first_suma)
        suma, zdobyte = round2(suma + granted), round2(zdobyte + granted)
        earlier_pool = first_pool if is_first else grant(settled, first_pool)[1]
        pool += round2(whole_pool) - round2(earlier_pool)
        settled, is_first = now, False
    return ['%.2f' % round2(one) for one in (suma, zdobyte, max(pool, ZERO))]


print(json.dumps([settle(one) for one in json.load(sys.stdin)]))

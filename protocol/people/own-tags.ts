/**
 * The tags of a Postać that its own player writes with `player.write.own` (D66): those that describe the
 * Postać itself. Its creation sets the owner, to the caller; every other tag requires `player.write`. The
 * table in `docs/spec/own-writes.md` is this list.
 */
export const ownTags = [
  'alias',
  'info',
  'plik',
  'stan',
  'karta_postaci',
  'tematy_zastrzezone',
  'przedmiot_specjalny',
  'reputacja_pozytywna',
  'reputacja_neutralna',
  'reputacja_negatywna',
  'dodatkowe_informacje',
] as const

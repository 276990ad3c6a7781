/** After a preposition a heading does not change: Zamek na Skale – Zamkiem na Skale. */
export const prepositions: ReadonlySet<string> = new Set(
  'na w we z ze od ode do pod nad przy za u o po ku dla bez przed między wśród obok koło'.split(' '),
)

/** Words of names that never change and belong to any case. */
export const particles: ReadonlySet<string> = new Set(
  'i oraz lub a de du da di del della von van der den la le el al ibn ben ap of the'.split(' '),
)

import { formatCount } from '#src/domain/caching/counted.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import { closeLedgerPath } from '../close-ledger.js'
import type { CloseLedger } from '../session.js'
import { sessionsByLedgerKey } from './closed-sessions.js'
import { effectsHash, noEffects } from './effects-hash.js'
import { closedReadingFindings, formerSessionsOf, isFormerHash, type ReadLore } from './former-sessions.js'

const suggestion = 'Cofnij zmianę, a poprawkę zapisz w nowej sesji.'

/**
 * Findings for closed sessions whose effects differ from those at close by the present and the former reader. The
 * new effects count all the same (D62).
 */
const sessionChangeFindings = (
  lore: ReadLore,
  { entries, meanings }: CloseLedger,
): ReadonlyArray<Finding> => {
  const { sessions } = lore
  const headers = new Map(entries.map(({ header }) => [ledgerKey(header), header]))
  return [...meanings].flatMap(([key, { effects }]): ReadonlyArray<Finding> => {
    const session = sessionsByLedgerKey(sessions).get(key)
    if (effectsHash(session ?? noEffects) === effects) return []
    if (isFormerHash(formerSessionsOf(lore), key, effects)) return []
    const copy = session?.copies[0]
    return [
      {
        kind: 'ClosedSessionChanged',
        severity: 'warning',
        file: copy?.path ?? closeLedgerPath,
        line: copy?.line ?? null,
        subject: session?.header ?? headers.get(key) ?? key,
        reason:
          session === undefined
            ? 'Zamkniętej sesji nie ma w żadnym pliku; jej Zmiany, Transfer, PU i Intel przestały się liczyć.'
            : 'Zmiany, Transfer, PU albo Intel zamkniętej sesji zmieniono po jej zamknięciu; liczą się nowe.',
        suggestion,
      },
    ]
  })
}

const forms = ['zamkniętej sesji', 'zamkniętych sesji', 'zamkniętych sesji'] as const

/** A finding for rows of an earlier release, whose names are resolved again at every build. */
const unrecordedFindings = ({ closed, meanings }: CloseLedger): ReadonlyArray<Finding> => {
  const count = [...closed].filter(key => !meanings.has(key)).length
  return count === 0
    ? []
    : [
        {
          kind: 'ClosedMeaningMissing',
          severity: 'info',
          file: closeLedgerPath,
          line: null,
          subject: null,
          reason: `Wiersze ${formatCount(count, forms)} nie mówią, co znaczyły nazwy w dniu zamknięcia.`,
          suggestion: 'Uruchom „kronika adopt”: uzupełni je z historii repozytorium.',
        },
      ]
}

/** Findings about the difference between closed sessions and their rows in the close ledger. */
export const closeFindings = (
  lore: ReadLore & { readonly closeLedger: CloseLedger },
): ReadonlyArray<Finding> => [
  ...sessionChangeFindings(lore, lore.closeLedger),
  ...closedReadingFindings(lore),
  ...unrecordedFindings(lore.closeLedger),
]

import { formatCount } from '#src/domain/caching/counted.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { plusForm } from '#src/domain/lore/narrator-field.js'
import { foldingOf } from './naming/folding.js'
import type { Folded } from './naming/narrators.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'

const sessionForms = ['sesja', 'sesje', 'sesji'] as const

interface Use {
  readonly first: Session
  count: number
}

/** The sessions with each name, in order of first appearance; spellings of an unknown name count as one. */
const usesOf = (
  lore: SessionLore,
): ReadonlyMap<string, Use & { readonly form: string; readonly folded: Folded }> => {
  const { fold } = foldingOf(lore)
  const uses = new Map<string, Use & { readonly form: string; readonly folded: Folded }>()
  for (const session of lore.sessions.all)
    for (const form of new Set(session.narrators)) {
      const folded = fold(form)
      const at = folded._tag === 'Unknown' ? `? ${folded.key}` : form
      const known = uses.get(at)
      if (known === undefined) uses.set(at, { first: session, count: 1, form, folded })
      else known.count += 1
    }
  return uses
}

/** Kind and reason of the finding about a name; null when the name is a written spelling. */
const faultOf = (form: string, folded: Folded, sessions: string): Pick<Finding, 'kind' | 'reason'> | null => {
  if (folded._tag === 'Unknown')
    return {
      kind: 'UnknownNarrator',
      reason: `Nikt nie nosi nazwy „${form}” (${sessions}). Czy to koniec tytułu?`,
    }
  if (folded._tag === 'Council' || folded.sure) return null
  return {
    kind: 'UnsureNarrator',
    reason: `Nikt nie nosi dokładnie nazwy „${form}” (${sessions}); odczytano ją jako Gracza „${folded.name}”.`,
  }
}

/**
 * Findings for narrator names that belong to nobody, or that mean a person only as a form or a near spelling:
 * one for each name, at the first session with it. A conjunction already has a finding of its own.
 */
export const narratorFindings = (lore: SessionLore): ReadonlyArray<Finding> =>
  [...usesOf(lore).values()].flatMap(({ first, count, form, folded }): ReadonlyArray<Finding> => {
    const fault = plusForm(form) === null ? faultOf(form, folded, formatCount(count, sessionForms)) : null
    const copy = first.copies[0]
    if (fault === null || copy === undefined) return []
    const { path: file, line, header: subject } = copy
    return [{ ...fault, severity: 'info', file, line, subject, suggestion: null }]
  })

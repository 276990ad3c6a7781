import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import type { Adoption } from '#protocol/host/admin.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import type { WorldTexts } from './legacy-world.js'

/** Words of the legacy grammar: labels and empty marks that format 2 expresses otherwise. */
const grammar = new Set(
  `gracze lista gracz id prfwebhook webhook tematy zastrzeżone postaci postać alias aliasy pu nadmiar startowe suma zdobyte
  brak trigger npc organizacja organizacje lokacja lokacje przedmiot przedmioty przedmiot mapa mapy historia md svc
  typ zawiera`.split(/\s+/u),
)

const credential = /https?:\/\/[^\s)]*\/api\/webhooks\/[^\s)]*/giu

const decodeLinks = (text: string): string =>
  text.replace(/\]\(([^)]*)\)/gu, (whole, target: string) => {
    const plain = tryCatch(
      () => decodeURIComponent(target),
      () => whole,
    )
    return isLeft(plain) ? whole : `](${plain.right})`
  })

const wordsOf = (text: string): ReadonlyArray<string> =>
  decodeLinks(text.normalize('NFC'))
    .replace(credential, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The files of a repository after the changes are committed. */
export const applyAdoption = (texts: WorldTexts, changes: ReadonlyArray<FileChange>): WorldTexts => {
  const after = new Map(Object.entries(texts))
  for (const change of changes) {
    if (change.after === null) after.delete(change.path)
    else after.set(change.path, change.after)
  }
  return Object.fromEntries(after)
}

/**
 * Words of the input that are neither in a file the daemon reads after adoption nor in the report (D36). The
 * legacy files stay but do not count: a word that only they contain would be lost to every reader.
 */
export const findLostWords = (
  texts: WorldTexts,
  changes: ReadonlyArray<FileChange>,
  report: Adoption,
): ReadonlyArray<string> => {
  const sources = new Set(report.Sources ?? [])
  const served = Object.entries(applyAdoption(texts, changes)).filter(([path]) => !sources.has(path))
  const said = report.Findings.flatMap(({ reason, subject, suggestion }) => [
    reason,
    subject ?? '',
    suggestion ?? '',
  ])
  const kept = new Set([...served.flatMap(([, text]) => wordsOf(text)), ...said.flatMap(wordsOf)])
  return [...new Set(Object.values(texts).flatMap(wordsOf))].filter(
    word => !kept.has(word) && !grammar.has(word),
  )
}

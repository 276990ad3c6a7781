import { gitIn } from '#test/support/repository.js'
import type { AckedEntry, WriteLedger } from './ledger.js'
import type { KillPlace } from './place.js'

const linesOf = (text: string): ReadonlyArray<string> => text.split('\n').filter(line => line !== '')

/** How often a value is answered for more than once, and by what. */
const findDoubles = (values: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
]

/** Texts of the ledger as they stand in commits, each as often as it stands there. */
const textsAt = (repo: string, ...commits: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...gitIn(repo, 'grep', '-h', '-o', '-E', 'wpis-[0-9]{5}|@typ', ...commits).matchAll(/wpis-\d{5}/g)].map(
    ([text]) => text,
  )

const listParkedRefs = (repo: string): ReadonlyArray<string> =>
  linesOf(gitIn(repo, 'for-each-ref', '--format=%(refname)', 'refs/svc/parked/'))

const isAncestor = (commits: ReadonlySet<string>, { fate }: AckedEntry): boolean =>
  fate._tag === 'open' || commits.has(fate.commit)

/**
 * Where the history of HEAD breaks S12 or S13: a lost acknowledgement, a doubled or a halved write. `entries` are those
 * that must stand in it; `ledger` knows all that may.
 */
export const historyViolations = (
  repo: string,
  ledger: WriteLedger,
  entries: ReadonlyArray<AckedEntry> = ledger.entries,
): ReadonlyArray<string> => {
  const intents = linesOf(gitIn(repo, 'log', '--format=%(trailers:key=Svc-Intent,valueonly)', 'HEAD'))
  const commits = new Set(linesOf(gitIn(repo, 'rev-list', 'HEAD')))
  const texts = textsAt(repo, 'HEAD')
  const standing = new Set(texts)
  const anywhere = new Set([...texts, ...textsAt(repo, 'HEAD', ...listParkedRefs(repo))])
  const known = new Set(ledger.entries.map(entry => entry.text))
  return [
    ...findDoubles(intents).map(intent => `intent ${intent} is in two commits (S13)`),
    ...findDoubles(texts).map(text => `${text} stands twice in HEAD (S13)`),
    ...texts.filter(text => !known.has(text)).map(text => `${text} stands in HEAD and nobody asked for it`),
    ...entries
      .filter(
        ({ text, fate, beside }) => fate._tag === 'acked' && beside === undefined && !standing.has(text),
      )
      .map(entry => `${entry.text} was acknowledged and is not in HEAD (S12)`),
    ...entries
      .filter(({ text, beside }) => beside === 'parked' && !anywhere.has(text))
      .map(entry => `${entry.text} was acknowledged and is neither in HEAD nor parked (D30)`),
    ...entries
      .filter(entry => !isAncestor(commits, entry))
      .map(entry => `the commit of ${entry.text} is no ancestor of HEAD (S12)`),
  ]
}

/** What the remote lacks or doubles once a converge published everything; null where nothing. */
export const originViolations = ({ repo, remote }: KillPlace, ledger: WriteLedger): string | null => {
  if (remote === null) return null
  const [here, there] = [repo, remote.bare].map(path => gitIn(path, 'rev-parse', 'refs/heads/main'))
  if (here !== there) return `the converge was answered, and origin is at ${there}, not at ${here}`
  return historyViolations(remote.bare, ledger)[0] ?? null
}

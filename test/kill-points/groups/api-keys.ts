import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ApiKeyClaimed, ApiKeyIssued } from '#protocol/identity/sign-in.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import type { Client } from '#test/support/http-client.js'
import { gitIn } from '#test/support/repository.js'
import { askOrNull, writeNext } from '../asks.js'
import type { KeyLedger, WriteLedger } from '../ledger.js'
import { smallWorld } from '../lore.js'
import { type Scenario, writing } from '../scenario.js'

const gameId = '300'
const store = 'kontrybutorzy.md'

/** Asks for a key, and keeps its claim code where one is told. */
const issue = async (client: Client, { keys }: WriteLedger): Promise<void> => {
  keys.asked += 1
  const reply = await askOrNull(client, '/api-keys', { method: 'POST', body: JSON.stringify({ gameId }) })
  const issued = ApiKeyIssued.decode(reply?.json)
  if (reply?.status === 201 && !isLeft(issued)) keys.codes.set(issued.right.claim, 'waiting')
}

/** Claims a key; the status, 0 without an answer. */
const claim = async (client: Client, keys: KeyLedger, code: string): Promise<number> => {
  const reply = await askOrNull(client, `/api-keys/claim/${code}`, { token: null })
  const claimed = ApiKeyClaimed.decode(reply?.json)
  if (reply?.status === 200 && !isLeft(claimed)) {
    keys.codes.set(code, 'taken')
    keys.taken.add(claimed.right.key)
    return 200
  }
  if (reply === null) keys.codes.set(code, 'doubtful')
  return reply?.status ?? 0
}

/** Hashes of keys that stand in HEAD. */
const hashesIn = (repo: string): ReadonlyArray<string> =>
  [...gitIn(repo, 'show', `HEAD:${store}`).matchAll(/@klucz_api: sha256:([0-9a-f]{64})/g)].map(
    ([, hash]) => hash ?? '',
  )

/** Sealed keys that wait for their claim on this host. */
const claimsWaiting = (repo: string): number => {
  const database = openSqlite(join(repo, '.svc/state/runtime.db'), 5_000)
  try {
    return database.prepare('SELECT code_hash FROM claims').all().length
  } finally {
    database.close()
  }
}

/** Where a key has no claim, or there are more keys than were asked for (D39). */
const storeViolation = (repo: string, keys: KeyLedger): string | null => {
  const hashes = hashesIn(repo)
  const codes = [...keys.codes.values()]
  const handed = codes.filter(fate => fate !== 'waiting').length
  const waiting = claimsWaiting(repo)
  if (new Set(hashes).size < hashes.length) return 'a hash of a key stands twice in HEAD'
  if (hashes.length > keys.asked) return `${hashes.length} keys stand, and ${keys.asked} were asked for`
  if (hashes.length > handed + waiting)
    return `${hashes.length} keys stand in HEAD, and only ${handed} were claimed and ${waiting} wait for it`
  const stray = [...keys.taken].find(key => !hashes.includes(tokenHash(key).toString('hex')))
  return stray === undefined ? null : 'a key was handed over whose hash is not in HEAD'
}

/** Claims every code twice: one that waits gives its key once, one that was taken none (D39). */
const codeViolation = async (client: Client, keys: KeyLedger): Promise<string | null> => {
  for (const [code, fate] of [...keys.codes].filter(one => one[1] !== 'spent')) {
    const [first, second] = [await claim(client, keys, code), await claim(client, keys, code)]
    if (fate === 'waiting' && first !== 200) return `a code that was told was answered ${first}`
    if (fate === 'taken' && first !== 404) return `a code that was taken was answered ${first}`
    if (second !== 404) return `a code that was claimed was answered ${second}`
    keys.codes.set(code, 'spent')
  }
  return null
}

/** A key is asked for and claimed, and another waits for its claim. */
export const apiKey: Scenario = {
  ...writing,
  name: 'api key',
  files: { ...smallWorld(), [store]: `## Gracz\n### Robot\n- @gameid: ${gameId}\n- @rola: Bot\n` },
  act: async (client, ledger) => {
    await issue(client, ledger)
    const [code] = [...ledger.keys.codes].findLast(([, fate]) => fate === 'waiting') ?? []
    if (code !== undefined) await claim(client, ledger.keys, code)
    await issue(client, ledger)
  },
  next: async (client, ledger, { repo }) =>
    storeViolation(repo, ledger.keys) ??
    (await codeViolation(client, ledger.keys)) ??
    storeViolation(repo, ledger.keys) ??
    (await writeNext(client, ledger)),
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Attack, Tactic } from '../caller-case.js'

/** What every token of the attack holds; it may be in no answer and in no file. */
const secret = 'aW50ZXJhY3Rpb24-NAPASTNIK'

const path = '/chat/dispatch'
const query = { SVC_QUERY_INTENT: 'status', SVC_QUERY_CHAT_ID: '5' }
const withToken = { ...query, SVC_APPLICATION_ID: '42', SVC_INTERACTION_TOKEN: secret }

/** Variables with which the address of an answer would be another one. */
const targets: ReadonlyArray<Readonly<Record<string, string>>> = [
  { SVC_APPLICATION_ID: '../../guilds/1' },
  { SVC_APPLICATION_ID: '42/../../channels/7' },
  { SVC_APPLICATION_ID: '٤٢' },
  ...[
    '..',
    '.',
    '%2e%2e',
    '../../../users/@me',
    'x\r\nHost: evil',
    'x?y#z',
    'ż',
    '\u0000',
    'x'.repeat(60_000),
  ].map(SVC_INTERACTION_TOKEN => ({ SVC_INTERACTION_TOKEN: `${secret}${SVC_INTERACTION_TOKEN}` })),
]

const Dispatched = t.type({ duplicate: t.boolean })
const Counted = t.type({ accepted: t.number, enacted: t.number, failed: t.number, refused: t.number })
const Health = t.type({ dispatch: t.UnknownRecord })

const secretFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(file => statSync(file).isFile() && readFileSync(file).includes(secret))

const judgeSecrets = async ({ trial }: Attack): Promise<void> => {
  const { token, state } = trial.subject
  for (const teller of [
    '/chat/deliveries',
    '/logs/operational',
    '/logs/request?limit=1000',
    '/logs/audit',
    '/health',
  ]) {
    const reply = await trial.fire({ method: 'GET', path: teller, token })
    if (reply?.text.includes(secret) === true)
      trial.violate(`GET ${teller} tells the token of an interaction`)
  }
  for (const file of secretFiles(state)) trial.violate(`${file} has the token of an interaction in the clear`)
}

const judgeCounts = async ({ trial }: Attack): Promise<void> => {
  const reply = await trial.fire({ method: 'GET', path: '/health', token: trial.subject.token })
  const health = Health.decode(JSON.parse(reply?.text ?? 'null'))
  if (isLeft(health)) return trial.violate('GET /health has no counts of dispatches')
  for (const [kind, counts] of Object.entries(health.right.dispatch)) {
    if (!Counted.is(counts)) continue
    const { accepted, enacted, failed, refused } = counts
    if (enacted + failed + refused > accepted) trial.violate(`more of ${kind} ended than were accepted`)
  }
}

/** Dispatches of a worker that lies: bodies against the shape, other addresses, replays, and a storm of one id. */
export const dispatchInteractions: Tactic = async attack => {
  const { chance, fire, token, trial, scale } = attack
  let id = 900_000
  const dispatch = (vars: unknown, more: object = {}) => {
    id += 1
    return { interactionId: String(id), sentAtEpochMs: Date.now(), vars, ...more }
  }
  for (const vars of targets) await fire({ method: 'POST', path, body: dispatch({ ...withToken, ...vars }) })
  const forbidden = 'the dispatch is against its shape'
  for (const vars of [[], 'x', null, { ...query, x: 1 }, { ...query, x: null }, { ...query, x: ['y'] }, {}])
    await fire({ method: 'POST', path, body: dispatch(vars), forbidden })
  const kinds = chance.some(['__proto__', 'constructor', 'QUERY', '', 'close\n', 'x'.repeat(100_000)], 6)
  for (const kind of kinds) await fire({ method: 'POST', path, body: dispatch(query, { kind }), forbidden })
  for (const interactionId of ['0', '007', '-1', '1e3', '18446744073709551616', '９', '1\u200b'])
    await fire({ method: 'POST', path, body: dispatch(query, { interactionId }), forbidden })
  const raw = JSON.stringify(dispatch(withToken))
  await fire({
    method: 'POST',
    path,
    body: raw.replace('"vars":{', '"vars":{"__proto__":{"x":"y"},'),
    forbidden,
  })
  const copies = Array.from({ length: Math.ceil(100 * scale) }, () => ({
    method: 'POST',
    path,
    body: raw,
    token,
  }))
  const replies = await trial.volley(copies)
  const first = replies.filter(reply => {
    const said = Dispatched.decode(JSON.parse(reply?.text ?? 'null'))
    return !isLeft(said) && !said.right.duplicate
  })
  if (first.length > 1) trial.violate(`one interaction was accepted ${first.length} times`)
  await fire({ method: 'GET', path: '/chat/deliveries', forbidden: 'a worker reads no deliveries' })
  await trial.rest()
  await judgeCounts(attack)
  await judgeSecrets(attack)
}

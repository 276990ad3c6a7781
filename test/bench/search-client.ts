import { setTimeout as pause } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { postJson, rawGet } from './client.js'
import type { BenchDaemon } from './daemon.js'

type Daemon = Pick<BenchDaemon, 'url' | 'headers'>

const IndexAnswer = t.type({
  tiers: t.readonlyArray(
    t.type({ tier: t.string, state: t.string, building: t.boolean, documents: t.number }),
  ),
})

const SearchAnswer = t.type({
  Items: t.readonlyArray(
    t.type({ source: t.string, title: t.string, header: t.union([t.string, t.null]), snippet: t.string }),
  ),
})
export type FoundText = t.TypeOf<typeof SearchAnswer>['Items'][number]

/** The state of each tier of the node. */
export const tierStates = async ({
  url,
  headers,
}: Daemon): Promise<t.TypeOf<typeof IndexAnswer>['tiers']> => {
  const { status, body } = await rawGet(`${url}/search/index`, headers)
  const answer = IndexAnswer.decode(JSON.parse(body.toString('utf8')))
  if (status !== 200 || isLeft(answer)) throw new Error(`/search/index: ${status} ${body.toString('utf8')}`)
  return answer.right.tiers
}

const waitMsMax = 180_000

/** Waits until each of the tiers answers. Throws after three minutes. */
export const waitForTiers = async ({ url, headers }: Daemon, tiers: ReadonlyArray<string>): Promise<void> => {
  for (const tier of tiers) {
    const endMs = performance.now() + waitMsMax
    while ((await rawGet(`${url}/search?q=most&scope=${tier}&limit=1`, headers)).status !== 200) {
      if (performance.now() > endMs) throw new Error(`no index of ${tier}`)
      await pause(20)
    }
  }
}

/** The first texts that the query finds; throws where the answer is not a 200. */
export const findTexts = async (
  { url, headers }: Daemon,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<FoundText>> => {
  const { status, body } = await rawGet(`${url}/search?${new URLSearchParams(query).toString()}`, headers)
  const answer = SearchAnswer.decode(JSON.parse(body.toString('utf8')))
  if (status !== 200 || isLeft(answer)) throw new Error(`/search: ${status} ${body.toString('utf8')}`)
  return answer.right.Items
}

/** Builds every tier anew; returns when each index is the new one. */
export const rebuildAll = async (daemon: Daemon): Promise<void> => {
  await postJson(daemon, '/search/index/rebuild', {})
}

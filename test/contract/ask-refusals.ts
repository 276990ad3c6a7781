import { type RefusalTag, refusals } from '#protocol/refusal.js'
import type { Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { type Bench, benchOf } from './bench.js'
import type { Provocation } from './provocation.js'
import { provocations } from './provocations.js'
import { samples } from './samples.js'

const table: Table = routes

const isRefusalTag = (tag: string): tag is RefusalTag => Object.hasOwn(refusals, tag)

/** Every refusal, in the order of their table. */
export const refusalTags: ReadonlyArray<RefusalTag> = Object.keys(refusals).filter(isRefusalTag)

const provokeAt = async (bench: Bench, provocation: Provocation): Promise<unknown> => {
  const { row: id, path, body, query, ask, gate = {}, world = () => bench.world } = provocation
  const [row, sample] = [table[id], samples[id]]
  if (row === undefined || sample === undefined) throw new Error(`${id} has no sample`)
  const changed = {
    ...sample,
    ...(path === undefined ? {} : { path }),
    ...(body === undefined ? {} : { body }),
  }
  bench.gate(gate)
  bench.serve(world())
  return (await bench.ask({ id, row, sample: changed }, query, ask)).json
}

const provoke = async (shared: Bench, provocation: Provocation): Promise<unknown> => {
  if (provocation.front === undefined) return provokeAt(shared, provocation)
  const own = await benchOf(provocation.front())
  try {
    return await provokeAt(own, provocation)
  } finally {
    await own.close()
  }
}

/** The body of every refusal, in the order of their table; the same at every call. */
export const askRefusals = async (): Promise<Readonly<Record<string, unknown>>> => {
  const shared = await benchOf()
  const bodies: Record<string, unknown> = {}
  try {
    for (const tag of refusalTags) {
      const provocation = provocations[tag]
      bodies[tag] =
        typeof provocation === 'function' ? JSON.parse(provocation()) : await provoke(shared, provocation)
    }
  } finally {
    await shared.close()
  }
  return bodies
}

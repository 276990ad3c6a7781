import { deepEqual } from 'node:assert/strict'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { peerWatcher } from '#actors/fleet/peer-watcher.js'
import {
  isArray,
  isDictionary,
  isExact,
  isInterface,
  isIntersection,
  isPartial,
  isReadonly,
  isRecursive,
  isRefinement,
  isTuple,
  isUnion,
} from '#src/domain/codecs/codec-kinds.js'
import { PlainData } from '#src/domain/codecs/plain-data.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { peers } from '#supervisors/peers.js'
import { actorKeys, actors, placeTree } from './actors.js'

type Parts = ReadonlyArray<readonly [step: string, codec: t.Mixed]>

/** The codecs that a codec is made of, each with its place; null for one that io-ts does not take apart. */
const partsOf = (codec: t.Mixed): Parts | null => {
  if (isInterface(codec) || isPartial(codec)) return Object.entries(codec.props)
  if (isUnion(codec) || isIntersection(codec) || isTuple(codec))
    return codec.types.map((one, at) => [String(at), one])
  if (isDictionary(codec))
    return [
      ['key', codec.domain],
      ['value', codec.codomain],
    ]
  if (isArray(codec)) return [['item', codec.type]]
  if (isExact(codec) || isReadonly(codec) || isRefinement(codec) || isRecursive(codec))
    return [['type', codec.type]]
  return null
}

const run = (): number => 0
const isRun = (u: unknown): u is unknown => typeof u === 'function'
const withFunctions: ReadonlyArray<unknown> = [run, [run], { run }]

/** The places in a codec at which it accepts a function. */
const findFunctions = (codec: t.Mixed, at: string, seen = new Set<t.Mixed>()): ReadonlyArray<string> => {
  if (seen.has(codec)) return []
  seen.add(codec)
  const parts = partsOf(codec)
  if (parts === null) return withFunctions.some(value => codec.is(value)) ? [`${at}: ${codec.name}`] : []
  return parts.flatMap(([step, part]) => findFunctions(part, `${at}.${step}`, seen))
}

/** The codec of the messages of each actor of the node, by its name. */
const collectCodecs = (): Map<string, t.Mixed> => {
  const codecs = new Map<string, t.Mixed>()
  const kernel = openKernel()
  const noting: Kernel = {
    ...kernel,
    place: actor => {
      codecs.set(actor.name, actor.codec)
      return kernel.place(actor)
    },
  }
  const setup = { publishMode: 'none', intervalMs: 0, convergeMsMax: 0 } as const
  const none = kernel.group({ ...peers, children: [] }, {})
  placeTree(
    noting,
    { town: '', config: readConfig(null).config, sync: { setup }, runners: new Map() },
    { peers: none, further: new Map() },
  )
  return codecs
}

describe('the messages of the actors', () => {
  it('are data: no codec of an actor of the node accepts a function', () => {
    const codecs = collectCodecs()
    deepEqual(
      [...codecs.keys()],
      actorKeys.map(key => actors[key].name),
    )
    codecs.set('peer-watcher', peerWatcher({ town: 'Deyja', intervalMs: 1 }).codec)
    deepEqual(
      [...codecs].flatMap(([name, codec]) => findFunctions(codec, name)),
      [],
    )
  })

  it('would be found with a function at any place', () => {
    const Run = new t.Type<unknown>('Run', isRun, t.success, t.identity)
    for (const part of [Run, t.unknown, t.UnknownRecord, t.UnknownArray])
      for (const codec of [
        part,
        t.type({ part }),
        t.union([t.string, t.partial({ part })]),
        t.intersection([t.type({ _tag: t.string }), t.readonly(t.type({ part }))]),
        t.record(t.string, t.readonlyArray(part)),
        t.exact(t.type({ parts: t.tuple([t.number, part]) })),
      ])
        deepEqual(findFunctions(codec, 'Start').length, 1, `${part.name} in ${codec.name}`)
    deepEqual(findFunctions(t.type({ _tag: t.literal('Start'), part: PlainData }), 'Start'), [])
  })
})

import { anonymous } from '#src/domain/identity/credentials/tokens.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { type PeerFacts, peersHandlers } from '#src/http/handlers/fleet.js'
import type { AnyHandlers } from '#src/http/routing/handler.js'
import type { Trace } from '#test/simulation/node/trace.js'

const rows: AnyHandlers = peersHandlers

/** Reads the rows of the fleet as a client does. Returns the answers as text. */
export const readFleetRows = (node: PeerFacts, towns: ReadonlyArray<string>, nowMs: number): string => {
  const input = {
    query: {},
    body: null,
    caller: anonymous,
    snapshot: null,
    node,
    gate: () => null,
    claimed: () => {
      throw new Error('a read claims no right')
    },
    isCallerThere: () => true,
    run: <A>(work: Sliced<A>) => Promise.resolve(atOnce(work)),
    dryRun: false,
    network: () => '',
    person: () => null,
    nowMs,
  } as const
  const hosts = towns.map(town => rows['fleet.hosts.get']?.({ ...input, path: { town } }))
  return JSON.stringify([rows['fleet.peers.list']?.({ ...input, path: {} }), hosts])
}

export interface ReadCheckParts {
  readonly trace: Pick<Trace, 'violation'>
  /** How many calls the hosts have begun. */
  readonly calls: () => number
  /** Everything that does not wait for time comes to rest. */
  readonly settle: () => Promise<void>
}

/** Holds S9 against a read, at a moment when everything rests: it begins no call, and neither does what it set off. */
export const checkRead = async (
  { trace, calls, settle }: ReadCheckParts,
  host: string,
  read: () => void,
): Promise<void> => {
  const before = calls()
  read()
  await settle()
  if (calls() !== before) trace.violation(`a read of ${host} calls ${calls() - before} times (S9)`)
}

import type { Ref } from '#src/kernel/actor/ref.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { ActorTree, GiveUp } from '#src/kernel/run-tree.js'
import type { Child } from '#src/kernel/supervision/child.js'
import type { SupervisorPolicy, SupervisorSpec } from '#src/kernel/supervision/supervisor-spec.js'
import { markersOf, putBetween } from '#src/reference/put-between.js'
import { authority } from '#supervisors/authority.js'
import { corpus } from '#supervisors/corpus.js'
import { delivery } from '#supervisors/delivery.js'
import { fleet } from '#supervisors/fleet.js'
import { front } from '#supervisors/front.js'
import { identity } from '#supervisors/identity.js'
import { node } from '#supervisors/node.js'
import { peers } from '#supervisors/peers.js'
import { search } from '#supervisors/search.js'
import { store } from '#supervisors/store.js'
import { actors } from './actors.js'
import type { DoorMessages, Doors } from './doors.js'
import type { ActorSetup, PortSources, SupervisorName } from './node.js'

export type ActorKey = keyof typeof actors

/** The real ports of each actor. */
export type TreePorts = { readonly [Key in ActorKey]: ReturnType<(typeof actors)[Key]['ports']> }

const isActorKey = (key: string): key is ActorKey => Object.hasOwn(actors, key)

/** The keys of the rows, in their order. */
export const actorKeys: ReadonlyArray<ActorKey> = Object.keys(actors).filter(isActorKey)

/** The actors under a supervisor, in the order in which they start. */
export const keysUnder = (supervisor: SupervisorName): ReadonlyArray<ActorKey> =>
  actorKeys.filter(key => actors[key].supervisor === supervisor)

/** A supervisor with its children from the rows. */
export const supervisorOf = (name: SupervisorName): SupervisorSpec<string> => ({
  ...policies[name],
  children: keysUnder(name).map(key => ({ id: actors[key].name, ...actors[key].policy })),
})

/** The actors of a node, placed. */
export interface PlacedTree {
  readonly doors: Doors
  /** Makes the ports of every row from the sources. */
  readonly ports: (sources: PortSources) => TreePorts
  readonly run: (ports: TreePorts, onGiveUp: (notice: GiveUp) => void) => ActorTree
}

/**
 * Places every actor in the order of the rows; `run` starts the tree with the ports, which may hold the refs.
 */
export const placeTree = (kernel: Kernel, setup: ActorSetup, lists: TreeLists): PlacedTree => {
  const places = mapActors<Places>(key => rows[key].place(kernel, setup))
  const nodeOf = <Key extends ActorKey>(key: Key, ports: TreePorts) => places[key].with(ports[key])
  const groupOf = (name: SupervisorName, ports: TreePorts) =>
    kernel.group(
      supervisorOf(name),
      Object.fromEntries(keysUnder(name).map(key => [actors[key].name, nodeOf(key, ports)])),
    )
  return {
    doors: mapActors<Refs>(key => places[key].ref),
    ports: sources => mapActors<TreePorts>(key => rows[key].ports(sources)),
    run: (ports, onGiveUp) =>
      kernel.run(
        node,
        {
          store: groupOf('store', ports),
          corpus: groupOf('corpus', ports),
          search: groupOf('search', ports),
          authority: groupOf('authority', ports),
          identity: groupOf('identity', ports),
          peers: lists.peers,
          delivery: groupOf('delivery', ports),
          fleet: groupOf('fleet', ports),
          front: groupOf('front', ports),
        },
        onGiveUp,
      ),
  }
}

/** Draws the supervisors and actors of a node in their order, as lines of Markdown. */
export const drawTree = (): string => {
  const last = node.children.length - 1
  const groups = node.children.flatMap(({ id }, at) => {
    const children = childrenOf(id)
    const trunk = at === last ? '    ' : '│   '
    return [
      lineOf(at === last ? '└── ' : '├── ', id, budgetOf(supervisorOf(id))),
      ...children.map(({ name, task }, row) =>
        lineOf(`${trunk}${row === children.length - 1 ? '└── ' : '├── '}`, name, task),
      ),
    ]
  })
  return [lineOf('', node.id, `${budgetOf(node)}, then the process leaves with 70`), ...groups].join('\n')
}

/** Puts the drawn tree between the markers of a document. Throws where the document lacks one of them. */
export const putTree = (document: string): string => putBetween(markers, document, drawTree())

/** An actor that `DoorMessages` does not name accepts no messages from other parts. */
type Messages = DoorMessages & Readonly<Record<Exclude<ActorKey, keyof DoorMessages>, never>>

type Refs = { readonly [Key in ActorKey]: Ref<Messages[Key]> }

interface PlaceOf<Key extends ActorKey> {
  readonly ref: Refs[Key]
  readonly with: (ports: TreePorts[Key]) => Child
}
type Places = { readonly [Key in ActorKey]: PlaceOf<Key> }

interface RowOf<Key extends ActorKey> {
  readonly place: (kernel: Kernel, setup: ActorSetup) => Places[Key]
  readonly ports: (sources: PortSources) => TreePorts[Key]
}

/** The rows, typed so that the compiler can follow a key to its types. */
const rows: { readonly [Key in ActorKey]: RowOf<Key> } = actors

const policies: Readonly<Record<SupervisorName, SupervisorPolicy>> = {
  store,
  corpus,
  search,
  authority,
  identity,
  peers,
  delivery,
  fleet,
  front,
}

type Whole = Readonly<Record<ActorKey, unknown>>
type Partly<T extends Whole> = { -readonly [Key in ActorKey]?: T[Key] }

/** Makes a value for each actor, in the order of the rows. */
const mapActors = <T extends Whole>(make: <Key extends ActorKey>(key: Key) => T[Key]): T => {
  const made: Partly<T> = {}
  for (const key of actorKeys) made[key] = make(key)
  const isWhole = (values: Partly<T>): values is Partly<T> & T => actorKeys.every(key => key in values)
  if (!isWhole(made)) throw new Error('a row of the table of actors has no value')
  return made
}

/** The groups whose children follow a list, by their supervisor. */
interface TreeLists {
  readonly peers: Child
}

const textColumn = 28

const lineOf = (branch: string, name: string, text: string): string =>
  `    ${`${branch}${name}`.padEnd(textColumn)}${text}`

const budgetOf = ({ strategy, restartsMax, windowMs }: SupervisorPolicy): string =>
  `${strategy}, ${restartsMax} restarts in ${windowMs / 1000} s`

/** The children of the groups that follow a list, which have no rows. */
const listed: Readonly<Record<string, { readonly name: string; readonly task: string }>> = {
  peers: { name: 'peer-watcher TOWN', task: 'probes one other town of the fleet' },
}

const childrenOf = (id: SupervisorName): ReadonlyArray<{ readonly name: string; readonly task: string }> => {
  const list = listed[id]
  return list === undefined ? keysUnder(id).map(key => actors[key]) : [list]
}

const markers = markersOf('src/node/tree/actors.ts')

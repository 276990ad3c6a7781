import type { SessionGraph } from '#protocol/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { type Player, playersIn } from './naming/characters.js'
import type { Sessions } from './session.js'

interface Pair {
  readonly source: Player
  readonly target: Player
  weight: number
}

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

/** Sessions with more players add no pairs: the pairs of one session grow with the square of its players. */
const playersMax = 64

/**
 * Once the graph has this many pairs, further sessions add none: nobody can read a larger graph (ADR 1028).
 */
const pairsMax = 100_000

const graph = (sessions: Sessions, names: NameIndex): SessionGraph => {
  const nodes = new Map<string, { readonly player: Player; sessions: number }>()
  const pairs = new Map<string, Pair>()
  for (const session of sessions.all) {
    const players = [...playersIn(session, names)].sort(byName)
    const meet = players.length <= playersMax && pairs.size < pairsMax
    players.forEach((source, at) => {
      const node = nodes.get(source.key) ?? { player: source, sessions: 0 }
      node.sessions += 1
      nodes.set(source.key, node)
      for (const target of meet ? players.slice(at + 1) : []) {
        const id = `${source.key}\n${target.key}`
        const pair = pairs.get(id) ?? { source, target, weight: 0 }
        pair.weight += 1
        pairs.set(id, pair)
      }
    })
  }
  return {
    NodeCount: nodes.size,
    EdgeCount: pairs.size,
    Nodes: [...nodes.values()]
      .sort((left, right) => byName(left.player, right.player))
      .map(node => ({ Name: node.player.name, Type: node.player.type, Sessions: node.sessions })),
    Edges: [...pairs.values()]
      .sort((left, right) => byName(left.source, right.source) || byName(left.target, right.target))
      .map(({ source, target, weight }) => ({
        Source: source.name,
        Target: target.name,
        Type: 'Session' as const,
        Weight: weight,
      })),
  }
}

const memo = perValue((names: NameIndex) => perValue((sessions: Sessions) => graph(sessions, names)))

/** The graph of who played together (docs/spec/sessions.md#graph, ADR 1028); computed on first use. */
export const sessionGraph = (sessions: Sessions, names: NameIndex): SessionGraph => memo(names)(sessions)

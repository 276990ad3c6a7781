import type { Moment } from '../actor/actor.js'
import type { Core } from '../core.js'

/**
 * The moment of one step. Wall time, id and chance are drawn when `receive` first reads them: most steps read
 * none, and the draws cost as much as the rest of a turn. It is a class because an object literal with
 * getters is slow to create.
 */
class DrawnMoment implements Moment {
  readonly monotonicMs: number
  readonly incarnation: string
  readonly #core: Core
  #nowMs: number | null = null
  #id: string | null = null
  #chance: number | null = null

  constructor(core: Core, incarnation: string, monotonicMs: number) {
    this.#core = core
    this.incarnation = incarnation
    this.monotonicMs = monotonicMs
  }

  get nowMs(): number {
    this.#nowMs ??= this.#core.clock.nowMs()
    return this.#nowMs
  }

  get id(): string {
    this.#id ??= this.#core.entropy.id()
    return this.#id
  }

  get chance(): number {
    this.#chance ??= this.#core.entropy.chance()
    return this.#chance
  }
}

/** Creates the moment of a step that begins now. */
export const makeMoment = (core: Core, incarnation: string, monotonicMs: number): Moment =>
  new DrawnMoment(core, incarnation, monotonicMs)

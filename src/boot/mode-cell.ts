import type { ModeCell } from '#actors/write-gate/ports.js'
import type { Mode } from '#protocol/discovery/mode.js'

/** The mode of a host from its start on: what the configuration says, until the gate sets another (D29). */
export const modeCell = (first: Mode): ModeCell => {
  let state: ReturnType<ModeCell['get']> = { mode: first, detail: null }
  return {
    get: () => state,
    set: next => {
      state = next
    },
  }
}

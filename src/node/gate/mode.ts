import { type ModeCell } from '#actors/write-gate/mode.js'
import type { Mode } from '#protocol/host/discovery.js'
import { type Log } from '../records/records.js'
import type { ModeState } from './gate.js'

/** The refusal of writes on a plain directory; no request to the daemon can open its gate. */
export const noGitDetail =
  'The directory is not a git repository: run `git init`, commit the lore and restart the daemon.'

/** The mode of a host: initially by the configuration, until the gate or the role sets another (D29). */
export const modeCell = (
  first: Mode,
  detail: string | null = null,
  changed: (state: ModeState) => void = () => undefined,
): ModeCell => {
  let state: ModeState = { mode: first, detail }
  return {
    get: () => state,
    set: next => {
      const { mode } = state
      state = next
      if (mode !== next.mode) changed(next)
    },
  }
}

const byHand = 'the mode is ReadOnly'
const openAgain = 'POST /admin/mode with "read-write"'

/** Logs that the gate closed, with the reason, or that it opened again. */
export const tellMode =
  (log: Pick<Log, 'info' | 'warn'>) =>
  ({ mode, detail }: ModeState): void => {
    if (mode === 'ReadWrite') log.info('writes_open')
    else if (detail === null) log.warn('writes_refused', { reason: byHand, mend: openAgain })
    else log.warn('writes_refused', { reason: detail })
  }

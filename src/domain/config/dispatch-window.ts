import type { ConfigFile } from './parse-config.js'
import { invalidKeyFinding, type ReadConfig } from './read-config.js'

const key = 'integrations.chat.dispatch.window_ms'
const workerKey = 'integrations.chat.dispatch.worker_timeout_ms'

/** How long before the worker gives up the window must end (A 8). */
const marginMs = 1_500

/**
 * Limits the window of a dispatch to the time-out of the worker less 1,500 ms: later the worker has given up and
 * enacts the interaction elsewhere. Adds a finding when it does.
 */
export const boundDispatchWindow = (file: ConfigFile, read: ReadConfig): ReadConfig => {
  const { [key]: wantedMs, [workerKey]: timeoutMs } = read.config
  const windowMsMax = Math.max(0, timeoutMs - marginMs)
  if (wantedMs <= windowMsMax) return read
  const finding = invalidKeyFinding(
    file,
    key,
    `is ${wantedMs}, and ${workerKey} is ${timeoutMs}; this host uses ${windowMsMax}, which is ${marginMs} less.`,
    `Set ${key} to ${windowMsMax} or less, or raise ${workerKey} to the time-out of the worker.`,
  )
  return { config: { ...read.config, [key]: windowMsMax }, findings: [...read.findings, finding] }
}

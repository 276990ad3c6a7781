import type { ForgeAnswer, ForgeCall } from '#protocol/host/forge.js'

/**
 * The forge that has the lore's project, as this host calls it. Makes one attempt, at most `timeoutMs` long.
 * Never rejects.
 */
export type ForgePort = (call: ForgeCall, timeoutMs: number, signal: AbortSignal) => Promise<ForgeAnswer>

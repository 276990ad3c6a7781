import type { CapabilityId } from '#protocol/atoms.js'
import type { TestNode } from './node.js'

/** Mints named tokens of one capability: each is a caller of its own. */
export const mintTokens = (
  { host }: TestNode,
  capability: CapabilityId,
  count: number,
): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => {
    const wanted = { name: `caller ${at}`, capabilities: [capability], expiresMs: null, by: 'machine' }
    const minted = host.tokens.named.mint(wanted, Date.now())
    if (minted._tag === 'Left') throw new Error(minted.left.detail)
    return minted.right.token
  })

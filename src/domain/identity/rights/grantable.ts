import { capabilities, isCapabilityId } from '#protocol/atoms.js'
import { ungrantable } from './grade.js'
import type { Grant } from './roles.js'

const resources: ReadonlySet<string> = new Set(capabilities.map(id => id.slice(0, id.indexOf('.'))))

/**
 * Whether a bundle or a grant may contain the text: a listed id or the `.all` of a listed resource (A 5,
 * docs/spec/rights.md#a-5-5).
 */
export const isGrant = (text: string): text is Grant =>
  !ungrantable.has(text) &&
  (isCapabilityId(text) || (text.endsWith('.all') && resources.has(text.slice(0, -'.all'.length))))

import { requirePath } from '#protocol/atoms.js'
import { bundles } from '#src/domain/identity/rights/bundles.js'
import { rolesPath } from '#src/domain/identity/rights/roles-table.js'

/** A file whose text does not depend on the lore. */
export interface Seed {
  readonly path: string
  readonly text: string
}

export const formatPath = requirePath('.svc/format.json')

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The roles table of a new repository in format 2: the built-in bundles, until the community edits them. */
export const rolesSeed: Seed = { path: rolesPath, text: jsonText({ roles: bundles }) }

export const formatSeed: Seed = { path: formatPath, text: jsonText({ format: 2 }) }

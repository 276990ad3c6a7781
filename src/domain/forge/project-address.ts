import { safeBase } from '#src/domain/outbound/safe-address.js'

const projectCharsMax = 255

/** A part of a project's path: GitLab starts it with a letter, a digit or an underscore. */
const segment = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/

/**
 * The project as one segment of a path: its id, or its path with the groups, percent-encoded. Null where it is
 * neither.
 */
const encodeProject = (project: string): string | null => {
  if (project.length > projectCharsMax) return null
  if (/^\d+$/.test(project)) return project
  const parts = project.split('/')
  return parts.length > 1 && parts.every(part => segment.test(part)) ? parts.join('%2F') : null
}

/** Why the forge cannot be called; each names the key to change. */
export type ForgeAddressFault = 'api_url' | 'project'

/**
 * The URL that all calls of a project begin with, from `integrations.forge.api_url`, which ends in `/api/v4`,
 * and `integrations.forge.project`.
 */
export const projectAddress = (
  apiUrl: string,
  project: string,
): string | { readonly bad: ForgeAddressFault } => {
  const base = safeBase(apiUrl)
  if (base?.endsWith('/api/v4') !== true) return { bad: 'api_url' }
  const encoded = encodeProject(project)
  return encoded === null ? { bad: 'project' } : `${base}/projects/${encoded}`
}

/** The number of the project in its address; null where it is configured by its path. */
export const projectIdIn = (address: string): string | null => /\/projects\/(\d+)$/.exec(address)?.[1] ?? null

import { type NameKey, nameKey } from '#protocol/atoms/name.js'

/** The key under which a session header is settled: without `### `, blanks collapsed, ignoring case (FORMATS 4.1, 6.3). */
export const headerKey = (header: string): NameKey => nameKey(header.replace(/^\s*#{1,6}\s+/u, ''))

import type { NarrowedRow, SessionRow, SessionSummary } from '#protocol/sessions.js'

type Optional = Omit<NarrowedRow, 'Header'>

/** A row reduced to `Header` and the given fields, in the order of the row. */
export const narrowRow = (row: SessionRow | SessionSummary, fields: ReadonlySet<string>): NarrowedRow => {
  const { Header, ...rest } = row
  const kept: Partial<Optional> = Object.fromEntries(
    Object.entries(rest).filter(([field]) => fields.has(field)),
  )
  return { Header, ...kept }
}

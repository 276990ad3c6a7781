import { type Either, map } from 'fp-ts/lib/Either.js'
import { Adoption, type AdoptRefusal } from '#protocol/admin.js'
import type { AdminDeps } from '#src/http/handlers/admin.js'
import type { TellProgress } from '#src/ports/records.js'
import type { TaskOf } from '#src/writing/command.js'

export type ImportParts = Pick<AdminDeps, 'adopt'>

/** Adopts the repository; its result is the answer of `POST /import`. */
export const performImport = async (
  { adopt }: ImportParts,
  { origin, claimed }: TaskOf<'Import'>,
  progress: TellProgress,
): Promise<Either<AdoptRefusal, unknown>> =>
  map(Adoption.encode)(await adopt(false, origin, claimed, { progress }))

import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { EntityType } from '#protocol/atoms.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WritePlan } from '../write-plan.js'
import { targetNamed } from './target.js'

/** A plan that applies a rule to the one block that a name means (D12). */
export const planForBlock =
  <A, R extends Refusal>(
    name: string,
    type: EntityType | undefined,
    rule: (snapshot: Snapshot, entity: Entity) => Either<R, ChangeSet<A>>,
  ): WritePlan<A, R | RefusalOf<'EntityNotFound' | 'AmbiguousName'>> =>
  snapshot => {
    const entity = targetNamed(snapshot.entities, name, type)
    return isLeft(entity) ? entity : rule(snapshot, entity.right)
  }

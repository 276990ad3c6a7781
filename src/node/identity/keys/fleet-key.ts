import { join } from 'node:path'
import { type Either, flatMap, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readSecret } from '#src/adapters/state/private-file.js'
import { type PrivateKey, privateKeysOf } from '#src/domain/identity/private-keys.js'

/** Where the private key of this host comes from; `name` is shown to people, the key never is. */
export type FleetKeySource =
  | { readonly _tag: 'Variable'; readonly name: string; readonly text: string }
  | { readonly _tag: 'Mounted'; readonly name: string; readonly path: string }
  | { readonly _tag: 'Own'; readonly name: string; readonly path: string }

const Variables = t.partial({ SVC_FLEET_KEY: t.string, SVC_FLEET_KEY_FILE: t.string })

/**
 * The source of the key: `SVC_FLEET_KEY`, otherwise the file that `SVC_FLEET_KEY_FILE` names, otherwise
 * `fleet.key` of the state area (LAYOUT).
 */
export const fleetKeySource = (variables: NodeJS.ProcessEnv, state: string): FleetKeySource => {
  const { SVC_FLEET_KEY: text = '', SVC_FLEET_KEY_FILE: file = '' } = Variables.is(variables) ? variables : {}
  if (text !== '') return { _tag: 'Variable', name: 'SVC_FLEET_KEY', text }
  if (file !== '') return { _tag: 'Mounted', name: `SVC_FLEET_KEY_FILE (${file})`, path: file }
  const path = join(state, 'fleet.key')
  return { _tag: 'Own', name: path, path }
}

/** The keys that are there now, newest first; empty where there are none. Left: what is wrong with them. */
export const privateKeysAt = (source: FleetKeySource): Either<string, ReadonlyArray<PrivateKey>> => {
  const text =
    source._tag === 'Variable' ? right(source.text) : readSecret(source.path, source._tag === 'Own')
  return flatMap((found: string | null): Either<string, ReadonlyArray<PrivateKey>> => {
    if (found === null) return source._tag === 'Own' ? right([]) : left('there is no such file')
    const keys = privateKeysOf(found)
    return keys.length === 0 ? left('it is not an Ed25519 key as PKCS8 PEM or JWK') : right(keys)
  })(text)
}

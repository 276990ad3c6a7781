import { readFileSync } from 'node:fs'
import { root } from './sources.js'

/** What a JSON file of the project has at these keys; undefined where one is missing. */
export const readField = (path: string, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>(
    (value, key) => Reflect.get(Object(value), key),
    JSON.parse(readFileSync(`${root}/${path}`, 'utf8')),
  )

/** The keys of what a JSON file has there; none where it is no object. */
export const readKeys = (path: string, ...keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const value = readField(path, ...keys)
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

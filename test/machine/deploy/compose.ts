import { spawnSync } from 'node:child_process'
import { jsonField } from '#test/support/json-field.js'

/** What the test starts of a service of a compose file. */
export interface Service {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  /** Replaces the entrypoint of the image; empty where it does not. */
  readonly entrypoint: ReadonlyArray<string>
  /** Name of the volume that the service sees at a path. */
  readonly volumes: ReadonlyMap<string, string>
}

const yamlToJson = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'

/** The value of a YAML document, read by Python's yaml; null where that is absent. */
export const readYaml = (text: string): unknown => {
  const { status, stdout } = spawnSync('python3', ['-c', yamlToJson], { input: text, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : null
}

const listOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** The services of a compose file. */
export const servicesOf = (file: unknown): ReadonlyMap<string, Service> =>
  new Map(
    entriesOf(jsonField(file, 'services')).map(([name, service]) => [
      name,
      {
        name,
        environment: Object.fromEntries(
          entriesOf(jsonField(service, 'environment')).map(([key, value]) => [key, String(value)]),
        ),
        entrypoint: listOf(jsonField(service, 'entrypoint')),
        volumes: new Map(
          listOf(jsonField(service, 'volumes')).map(volume => {
            const [source = '', path = ''] = volume.split(':')
            return [path, source]
          }),
        ),
      },
    ]),
  )

import { type ForgeProcess, startForgeProcess } from '#test/support/forge/forge-process.js'
import { gitIn } from '#test/support/repository.js'
import type { KillPlace } from './place.js'

const configPath = '.svc/config.json'

/** The town of the daemon that is killed. */
export const ownTown = 'Deyja'

/** The configuration with the address of the forge. */
const nameForge = (text: string, { apiUrl, project }: ForgeProcess): string => {
  const config = JSON.parse(text) as { readonly integrations?: object }
  const integrations = { ...config.integrations, forge: { api_url: apiUrl, project } }
  return `${JSON.stringify({ ...config, integrations })}\n`
}

/** The place with a forge over its remote, in a process that no kill of the daemon reaches. */
export const addForge = async (place: KillPlace): Promise<KillPlace> => {
  const { repo, remote, serving } = place
  if (remote === null) throw new Error('a place was opened without its remote')
  const forge = await startForgeProcess(remote.bare, { detached: true })
  remote.publish(configPath, text => nameForge(text, forge))
  gitIn(repo, 'pull', '-q', '--ff-only', 'origin', 'main')
  return {
    ...place,
    forge,
    serving: {
      args: [...serving.args, '--town', ownTown],
      env: { ...serving.env, SVC_FORGE_TOKEN: forge.token },
    },
    dispose: () => {
      void forge.stop()
      place.dispose()
    },
  }
}

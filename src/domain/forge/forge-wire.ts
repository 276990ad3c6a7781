import type { ForgeCall, ForgeWire } from '#protocol/forge.js'

const titleCharsMax = 255

/**
 * Escapes what the forge would run: a line of a description that begins with a slash, such as `/merge`, is a
 * command to it.
 */
const escapeCommands = (text: string): string => text.replace(/^([ \t]*)\//gm, '$1\\/')

const get = (path: string): ForgeWire => ({ method: 'GET', path, body: null })
const post = (path: string, body: object | null = null): ForgeWire => ({
  method: 'POST',
  path,
  body: body === null ? null : JSON.stringify(body),
})
const put = (path: string, body: object): ForgeWire => ({ method: 'PUT', path, body: JSON.stringify(body) })

/**
 * The HTTP request of a call, below the address of the project. With the `projectId` the forge lists no requests of
 * forks, so that they cannot fill the page or make the answer too large.
 */
export const forgeWire = (call: ForgeCall, projectId: string | null = null): ForgeWire => {
  switch (call._tag) {
    case 'OpenRequest':
      return post('/merge_requests', {
        source_branch: call.sourceBranch,
        target_branch: call.targetBranch,
        title: call.title.slice(0, titleCharsMax),
        description: escapeCommands(call.description),
        remove_source_branch: false,
        squash: false,
      })
    case 'ListRequests': {
      const branch = encodeURIComponent(call.sourceBranch)
      const project = projectId === null ? '' : `&source_project_id=${projectId}`
      return get(
        `/merge_requests?source_branch=${branch}${project}&state=all&order_by=created_at&sort=desc&per_page=20`,
      )
    }
    case 'ReadRequest':
      return get(`/merge_requests/${call.iid}`)
    case 'MergeRequest':
      return put(`/merge_requests/${call.iid}/merge`, {
        sha: call.sha,
        squash: false,
        should_remove_source_branch: false,
        ...(call.whenChecksSucceed === true ? { merge_when_pipeline_succeeds: true } : {}),
      })
    case 'CloseRequest':
      return put(`/merge_requests/${call.iid}`, {
        state_event: 'close',
        description: escapeCommands(call.description),
      })
    case 'StartPipeline': {
      const variables = Object.entries(call.variables).map(([key, value]) => ({ key, value }))
      return post('/pipeline', { ref: call.ref, variables })
    }
    case 'ReadPipeline':
      return get(`/pipelines/${call.pipelineId}`)
    case 'ListJobs':
      return get(`/pipelines/${call.pipelineId}/jobs?per_page=100`)
    case 'ActOnJob':
      return post(`/jobs/${call.jobId}/${call.action}`)
    case 'ReadTrace':
      return get(`/jobs/${call.jobId}/trace`)
  }
}

/** Whether the forge changes something for the call, so that a lost answer leaves its effect unknown. */
export const changesForge = (call: ForgeCall): boolean => forgeWire(call).method !== 'GET'

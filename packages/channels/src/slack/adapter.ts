/** The way to Slack: listens in Socket Mode, speaks through the Web API. */
import { type ChannelAdapter, RejectedError } from '../frame/adapter.ts'
import { createDial } from './dial.ts'
import { createFileFetch } from './files.ts'
import { createListener } from './listener.ts'
import { type SlackSettings, slackManifest } from './manifest.ts'
import { createSlackOutbound } from './outbound.ts'
import { startSocketMode } from './socket-mode.ts'
import { createSlackApi, isSlacks } from './web-api.ts'

const slackApi = 'https://slack.com/api/'

export const slackAdapter: ChannelAdapter<SlackSettings> = {
  manifest: slackManifest,
  async open(context) {
    const { settings, secrets, signal, disconnected } = context
    const { apiUrl = slackApi } = settings
    const { appToken = '', botToken = '' } = secrets
    const isTheirs = (url: string) => isSlacks(url, apiUrl)
    const api = createSlackApi({ apiUrl, appToken, botToken, signal })
    const { self, dial, doubt } = createDial({ ...api, isTheirs })
    const first = await dial()
    if (first.rejected !== undefined) throw new RejectedError(first.rejected)
    const listener = createListener({ context, asBot: api.asBot, self })
    const line = startSocketMode({ ...listener, dial, disconnected, signal }, first)
    function onUnaccepted(problem: string): void {
      doubt()
      line.renew(problem)
    }
    return {
      ...createSlackOutbound({ asBot: api.asBot, isTheirs, onUnaccepted, signal }),
      fetch: createFileFetch({ asBot: api.asBot, botToken, isTheirs, signal }),
      close: () => line.ended,
    }
  },
}

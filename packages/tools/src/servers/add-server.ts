/**
 * Lets a server in, or puts another way to start it in the place of what is there. Nothing of it runs by this, and none of
 * its tools is accepted by it. The operator calls it by hand.
 */
import { HttpLaunch, isNamedForServer, ServerName, StdioLaunch } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed, takenBy } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinProblem } from '../extensions/pins.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { launchSecrets, launchText } from './launch-words.ts'
import { entryEffect, hashText } from './server-effects.ts'
import { launchHash } from './server-tool.ts'

export const addServer = defineTool({
  name: 'add_server',
  version: '1',
  description: 'Let a server of the Model Context Protocol in, with what it may use.',
  input: z.strictObject({
    name: ServerName,
    launch: z.discriminatedUnion('kind', [StdioLaunch, HttpLaunch]),
    /** The folder of the host that its files are copied from; their hash is in `launch`. */
    from: pathText.nullable().default(null),
    /** The hash of the launch that this one takes the place of. */
    replaces: z.string().regex(hashText).nullable().default(null),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'install'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name, replaces }) =>
    replaces === null ? `Let the server ${name} in` : `Change how the server ${name} is started`,
  preview: ({ name, launch, from }) => ({
    kind: 'text',
    title: `Server ${name}`,
    text: `${launchText(launch)}${from === null ? '' : `\nFiles are copied from: ${from}`}`,
  }),
  async effects({ name, launch, replaces }, inspect) {
    const installed = inspect.extensions()
    const taken = takenBy(installed, 'server', name)
    if (taken !== undefined) return { kind: 'invalid', reason: taken }
    const before = serverNamed(installed, name)
    if ((before?.launchHash ?? null) !== replaces) {
      const reason =
        replaces === null
          ? `There is a server ${name} already. Change it with \`countersign extension update ${name}\`.`
          : `The server ${name} is not as it was.`
      return { kind: 'invalid', reason }
    }
    const pin = pinProblem('server', before)
    if (pin !== undefined) return { kind: 'invalid', reason: pin }
    if (launch.kind === 'http' && launch.oauth && !isNamedForServer(name, launch.oauth))
      return { kind: 'invalid', reason: `The sign-in is that of another server than ${name}.` }
    const secrets = launchSecrets(launch)
    if (secrets.length > 0 && launch.kind === 'stdio' && launch.hosts.length === 0)
      return {
        kind: 'invalid',
        reason: 'A server without a host has nowhere to use a secret. Name its hosts.',
      }
    const op = before ? 'change' : 'add'
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'server', name, op })],
      effects: [entryEffect('write', `the server ${name}, which may then be started`, true)],
    }
  },
  async run({ name, launch, from }, { extensions }) {
    const before = serverNamed(extensions.installed(), name)
    const outcome = await extensions.putServer(
      {
        name,
        launch,
        launchHash: launchHash(launch),
        tools: before?.tools ?? [],
        offered: [],
        gone: [],
        listedAt: null,
        paused: before?.paused ?? false,
      },
      from === null ? null : { kind: 'folder', path: from },
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = before ? `The server ${name} is changed` : `The server ${name} is let in`
    return succeeded(
      `${summary}. See its tools: \`countersign extension look ${name}\`, then accept those that you want.`,
      summary,
    )
  },
})

/** `countersign extension audit`: what deserves a look, what each server and skill was used for, and what never was. */
import type { ExtensionUse, InstalledExtensions } from '@countersign/contract'
import { extensionParts, type PartOfExtension } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { findingsOf } from './extension.ts'
import { findingsOfSkill } from './extension-skill.ts'
import { originWords } from './skill-origin-words.ts'

export const audit: Handler = async (context) => {
  const { client } = await context.gateway()
  const [installed, use] = await Promise.all([client.extensions(), client.extensionUse()])
  const findings = [
    ...installed.servers.flatMap((server) =>
      findingsOf(server).map((finding) => ({ server: server.name, finding })),
    ),
    ...installed.proposals.map(({ name, ...origin }) => ({
      skill: name,
      finding: `waits for your review: ${originWords(origin)}`,
    })),
    ...installed.skills.flatMap((skill) =>
      findingsOfSkill(skill).map((finding) => ({ skill: skill.name, finding })),
    ),
  ]
  const parts = extensionParts(installed, use)
  return done({ findings, since: use.since, use: parts, unknown: use.unknown }, () =>
    [
      findings.length === 0
        ? 'Nothing deserves a look.'
        : columns(
            findings.map(({ finding, ...of }) => [
              line('server' in of ? of.server : of.skill),
              line(finding),
            ]),
          ),
      ...useText(context, installed, use, parts),
    ].join('\n'),
  )
}

function useText(
  context: Context,
  { servers, skills }: InstalledExtensions,
  { since, unknown }: ExtensionUse,
  parts: readonly PartOfExtension[],
): string[] {
  if (servers.length + skills.length === 0) return []
  const moment = context.moment()
  const used = parts.filter(({ calls }) => calls > 0)
  const unused = parts.filter(({ calls }) => calls === 0)
  const section = (title: string, rows: string[][]) =>
    rows.length === 0 ? [] : ['', context.paint('strong', title), indent(columns(rows))]
  return [
    ...section(
      `Used since ${since.slice(0, 10)}`,
      used.map(({ name, part, calls, failures, lastAt }) => [
        line(name),
        line(part),
        `${calls} ${calls === 1 ? 'call' : 'calls'}${failures === 0 ? '' : `, ${failures} failed`}`,
        lastAt === null ? '' : ago(lastAt, moment),
      ]),
    ),
    ...section(
      'Never used',
      unused.map(({ name, part, unusedSince }) => [
        line(name),
        line(part),
        `since ${unusedSince.slice(0, 10)}`,
      ]),
    ),
    ...(unknown === 0
      ? []
      : ['', `${unknown} more calls were made of which the details were removed by age.`]),
  ]
}

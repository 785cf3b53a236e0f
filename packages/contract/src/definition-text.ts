/** Owns how a person is shown a definition of a tool of a server: as text whose lines can be compared. */
import type { ListedTool } from './extension.ts'

export function definitionText({ name, title, description, input, output, annotations }: ListedTool): string {
  return [
    `name: ${name}`,
    ...(title === null ? [] : [`title: ${title}`]),
    ...`description: ${description}`.split('\n'),
    ...pretty('says of itself', annotations),
    ...pretty('takes', input),
    ...(output === null ? [] : pretty('gives', output)),
  ].join('\n')
}

function pretty(what: string, value: object): string[] {
  return `${what}: ${JSON.stringify(value, null, 2)}`.split('\n')
}

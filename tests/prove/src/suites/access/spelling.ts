/** Owns other ways to write a path, some of which a careless router takes for the plain one. */

export function spellingsOf(path: string): string[] {
  const [plain = '', query] = path.split('?')
  const parts = plain.split('/').slice(1)
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  const coded = Buffer.from(last).toString('hex').replaceAll(/../g, '%$&')
  const spelled = [
    `/${plain}`,
    `${plain}/`,
    `${plain};a=b`,
    `/.${plain}`,
    `/x/..${plain}`,
    `/${first.toUpperCase()}/${parts.slice(1).join('/')}`,
    `/%76${first.slice(1)}/${parts.slice(1).join('/')}`,
    `/${parts.join('//')}`,
    `/${parts.join('%2f')}`,
    `/${parts.join('\\')}`,
    `/${[...parts.slice(0, -1), coded].join('/')}`,
    `${plain}%00`,
    `${plain}%20`,
    `${plain}.`,
    `${plain}?_method=GET`,
  ]
  return query === undefined ? spelled : spelled.map((each) => `${each}?${query}`)
}

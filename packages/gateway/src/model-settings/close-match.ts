/** Finds the names that somebody may have meant. */

const mostMatches = 3

export function closeMatches(wanted: string, names: readonly string[]): string[] {
  const asked = plain(wanted)
  return names
    .map((name) => ({ name, distance: distanceOf(asked, plain(name)) }))
    .filter(({ distance }) => distance <= Math.max(3, asked.length / 2))
    .toSorted((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, mostMatches)
    .map(({ name }) => name)
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** How many letters must be put in, taken out or exchanged; a part of a name is near to the whole of it. */
function distanceOf(one: string, other: string): number {
  if (one !== '' && other.includes(one)) return Math.min(2, other.length - one.length)
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 0; row < one.length; row++) {
    const next = [row + 1]
    for (let column = 0; column < other.length; column++) {
      const exchanged = (before[column] ?? 0) + Number(one[row] !== other[column])
      next.push(Math.min((next[column] ?? 0) + 1, (before[column + 1] ?? 0) + 1, exchanged))
    }
    before = next
  }
  return before[other.length] ?? 0
}

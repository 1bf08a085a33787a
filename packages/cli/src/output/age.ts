/** How long ago, in as few letters as say it: 45s, 12m, 3h20m, 5d. */
export function age(since: string | undefined, now: number): string {
  const then = since === undefined ? Number.NaN : Date.parse(since)
  if (Number.isNaN(then)) return '-'
  const seconds = Math.max(0, Math.floor((now - then) / 1000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 10) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`
}

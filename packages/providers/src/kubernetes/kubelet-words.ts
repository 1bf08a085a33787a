/** What kubelets say in words only. */

/** Of a secret or a config that is there: one that is busy gives up on reading it, and reads it the next time. */
export const isNotYetRead = (message: string): boolean => /failed to sync (?:secret|configmap) cache/i.test(message)

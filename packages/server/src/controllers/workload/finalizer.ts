/** A workload is not forgotten before everything that runs for it was seen to be gone. */
export const workloadFinalizer = 'gantry.dev/workload'

export type DockerName = 'docker' | 'docker-newer'

/** Which of the rig's engines, for a run of everything on the newer one: GANTRY_TEST_DOCKER=docker-newer. */
export const testedDocker: DockerName = process.env.GANTRY_TEST_DOCKER === 'docker-newer' ? 'docker-newer' : 'docker'

/** Pure: what is to be said of how requests are shared between two slots on this engine. */
export const shareLimit =
  'between two slots, requests that do not come through the edge are shared by the number of replicas, not by weight'

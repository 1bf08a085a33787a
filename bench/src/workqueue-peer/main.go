// The peer of the workqueue bench: the same adds over the same keys through client-go's typed rate-limiting queue.
// Reads one request per line from stdin, `case workers adds keys`, and answers each with one line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/workqueue"
)

type answer struct {
	Seconds   float64 `json:"seconds"`
	Processed int64   `json:"processed"`
}

// keys and order are made exactly as in workqueue.ts, so that both sides see the same sequence.
func keys(count int) []string {
	made := make([]string, count)
	for i := range made {
		made[i] = "tenant-" + strconv.Itoa(i%128) + "/object-" + strconv.Itoa(i)
	}
	return made
}

func order(adds, keyCount int) []uint32 {
	made := make([]uint32, adds)
	seed := uint32(12345)
	for i := range made {
		seed = seed*1664525 + 1013904223
		made[i] = seed % uint32(keyCount)
	}
	return made
}

func run(name string, workers, adds int, names []string, sequence []uint32) answer {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	var processed atomic.Int64
	var working sync.WaitGroup
	work := func() {
		defer working.Done()
		for {
			key, shutdown := queue.Get()
			if shutdown {
				return
			}
			processed.Add(1)
			queue.Done(key)
		}
	}
	start := func() {
		for range workers {
			working.Add(1)
			go work()
		}
	}
	began := time.Now()
	if name == "interleaved" {
		start()
	}
	for _, at := range sequence[:adds] {
		queue.Add(names[at])
	}
	if name != "interleaved" {
		start()
	}
	queue.ShutDown()
	working.Wait()
	return answer{Seconds: time.Since(began).Seconds(), Processed: processed.Load()}
}

func main() {
	made := map[int][]string{}
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		var name string
		var workers, adds, keyCount int
		if _, err := fmt.Sscanf(requests.Text(), "%s %d %d %d", &name, &workers, &adds, &keyCount); err != nil {
			fmt.Fprintln(os.Stderr, "cannot read the request:", err)
			os.Exit(2)
		}
		if made[keyCount] == nil {
			made[keyCount] = keys(keyCount)
		}
		line, err := json.Marshal(run(name, workers, adds, made[keyCount], order(adds, keyCount)))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(line))
	}
}

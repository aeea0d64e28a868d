package main

import (
	"io/ioutil"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/context"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

func folderWith(t *testing.T, count string) *plugin {
	folder, err := ioutil.TempDir("", "plugin")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Mkdir(filepath.Join(folder, filepath.Dir(countFile)), 0700); err != nil {
		t.Fatal(err)
	}
	if count != "" {
		if err := ioutil.WriteFile(filepath.Join(folder, countFile), []byte(count), 0600); err != nil {
			t.Fatal(err)
		}
	}
	return &plugin{folder: folder, shares: 1}
}

func TestShowsAsManyDevicesAsTheFileSays(t *testing.T) {
	for count, want := range map[string]int{"": 0, "0\n": 0, "3\n": 3} {
		devices, err := folderWith(t, count).devices()
		if err != nil || len(devices) != want {
			t.Errorf("%q: %v, %v", count, devices, err)
		}
	}
}

func TestRefusesWhatIsNoNumber(t *testing.T) {
	for _, count := range []string{"two", "-1"} {
		if devices, err := folderWith(t, count).devices(); err == nil {
			t.Errorf("%q: %v", count, devices)
		}
	}
}

func TestShowsEachShareOfAGpu(t *testing.T) {
	shared := folderWith(t, "2")
	shared.shares = 2
	devices, err := shared.devices()
	if err != nil || len(devices) != 4 || devices[3].ID != "GPU-simulated-1::1" {
		t.Errorf("%v, %v", devices, err)
	}
}

func TestReadsSharesAsNvidiasPluginDoes(t *testing.T) {
	file := filepath.Join(folderWith(t, "").folder, "config.yaml")
	for text, want := range map[string]int{
		"version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n": 4,
		"version: v1\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 3}]}}\n":         3,
		"version: v1\n": 0,
	} {
		if err := ioutil.WriteFile(file, []byte(text), 0600); err != nil {
			t.Fatal(err)
		}
		if shares, err := sharesOf(file); shares != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, shares, err)
		}
	}
	if shares, err := sharesOf(""); shares != 1 || err != nil {
		t.Error(shares, err)
	}
}

func TestTellsEachContainerItsDevices(t *testing.T) {
	asked := &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{
		{DevicesIDs: []string{"GPU-simulated-1", "GPU-simulated-0"}}, {DevicesIDs: []string{"GPU-simulated-2::3"}}}}
	answer, err := folderWith(t, "").Allocate(context.Background(), asked)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, each := range answer.ContainerResponses {
		got = append(got, each.Envs["NVIDIA_VISIBLE_DEVICES"])
	}
	if len(got) != 2 || got[0] != "GPU-simulated-1,GPU-simulated-0" || got[1] != "GPU-simulated-2" {
		t.Error(got)
	}
}

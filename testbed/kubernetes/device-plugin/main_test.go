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
	if count != "" {
		if err := ioutil.WriteFile(filepath.Join(folder, countFile), []byte(count), 0600); err != nil {
			t.Fatal(err)
		}
	}
	return &plugin{folder: folder}
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

func TestTellsEachContainerItsDevices(t *testing.T) {
	asked := &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{
		{DevicesIDs: []string{"GPU-simulated-1", "GPU-simulated-0"}}, {DevicesIDs: []string{"GPU-simulated-2"}}}}
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

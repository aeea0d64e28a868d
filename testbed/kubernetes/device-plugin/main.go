// A device plugin for tests: reports to the kubelet, through the same interface as NVIDIA's, the number of GPUs in a file on the node.
// It tests scheduling, queueing and labels, not GPUs: a container gets the names of its devices, but no device.
package main

import (
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/context"
	"google.golang.org/grpc"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	"sigs.k8s.io/yaml"
)

const (
	// The simulated number of GPUs; without the file none. The file is in a subfolder of the only folder that each device plugin mounts,
	// 	// because the kubelet deletes the files beside its socket when it starts.
	countFile = "simulated/gpus"
	resource  = "nvidia.com/gpu"
	socket    = "deepsite-gpu.sock"
	// How often to read the count again, and check whether the kubelet still knows us.
	period = time.Second
)

// Between a GPU's name and the number of its share, like NVIDIA's plugin.
const shareMark = "::"

type plugin struct {
	folder string
	// How many pods share one GPU.
	shares int
}

// The part of NVIDIA's plugin configuration (file CONFIG_FILE) that concerns sharing.
type config struct {
	Sharing struct {
		TimeSlicing, Mps struct {
			Resources []struct {
				Name     string
				Replicas int
			}
		}
	}
}

// sharesOf reads how many pods share one GPU; without a file each has its own.
func sharesOf(file string) (int, error) {
	if file == "" {
		return 1, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	read := config{}
	if err := yaml.Unmarshal(text, &read); err != nil {
		return 0, err
	}
	for _, each := range append(read.Sharing.TimeSlicing.Resources, read.Sharing.Mps.Resources...) {
		if each.Name == resource && each.Replicas > 0 {
			return each.Replicas, nil
		}
	}
	return 0, fmt.Errorf("%s shares no %s", file, resource)
}

// devices reads the count; an invalid number is an error, because a typing error in a test must not count as "no GPU".
func (p *plugin) devices() ([]*api.Device, error) {
	text, err := os.ReadFile(filepath.Join(p.folder, countFile))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	count, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || count < 0 {
		return nil, fmt.Errorf("%s: not a number of GPUs: %q", countFile, text)
	}
	devices := []*api.Device{}
	for i := 0; i < count; i++ {
		name := fmt.Sprintf("GPU-simulated-%d", i)
		if p.shares == 1 {
			devices = append(devices, &api.Device{ID: name, Health: api.Healthy})
			continue
		}
		for share := 0; share < p.shares; share++ {
			devices = append(devices, &api.Device{ID: fmt.Sprintf("%s%s%d", name, shareMark, share), Health: api.Healthy})
		}
	}
	return devices, nil
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	told := -1
	for {
		devices, err := p.devices()
		if err != nil {
			return err
		}
		if len(devices) != told {
			log.Printf("%s: %d", resource, len(devices))
			if err := stream.Send(&api.ListAndWatchResponse{Devices: devices}); err != nil {
				return err
			}
			told = len(devices)
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(period):
		}
	}
}

func (p *plugin) GetPreferredAllocation(context.Context, *api.PreferredAllocationRequest) (*api.PreferredAllocationResponse, error) {
	return &api.PreferredAllocationResponse{}, nil
}

// Allocate lists the devices in the variable that NVIDIA's runtime reads.
func (p *plugin) Allocate(_ context.Context, asked *api.AllocateRequest) (*api.AllocateResponse, error) {
	answer := &api.AllocateResponse{}
	for _, container := range asked.ContainerRequests {
		names := []string{}
		for _, id := range container.DevicesIDs {
			names = append(names, strings.Split(id, shareMark)[0])
		}
		answer.ContainerResponses = append(answer.ContainerResponses, &api.ContainerAllocateResponse{
			Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": strings.Join(names, ",")},
		})
	}
	return answer, nil
}

func (p *plugin) PreStartContainer(context.Context, *api.PreStartContainerRequest) (*api.PreStartContainerResponse, error) {
	return &api.PreStartContainerResponse{}, nil
}

// serve answers the kubelet on our socket and registers; it ends after a restart of the kubelet, which deletes the socket.
func (p *plugin) serve() error {
	path := filepath.Join(p.folder, socket)
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	go server.Serve(listener) // ends with Stop
	defer server.Stop()
	if err := p.register(); err != nil {
		return err
	}
	for {
		time.Sleep(period)
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("the kubelet was restarted: %v", err)
		}
	}
}

func (p *plugin) register() error {
	kubelet := filepath.Join(p.folder, "kubelet.sock")
	dial := func(address string, limit time.Duration) (net.Conn, error) {
		return net.DialTimeout("unix", address, limit)
	}
	connection, err := grpc.Dial(kubelet, grpc.WithInsecure(), grpc.WithBlock(), grpc.WithTimeout(10*time.Second), grpc.WithDialer(dial))
	if err != nil {
		return fmt.Errorf("%s: %v", kubelet, err)
	}
	defer connection.Close()
	_, err = api.NewRegistrationClient(connection).Register(context.Background(),
		&api.RegisterRequest{Version: api.Version, Endpoint: socket, ResourceName: resource})
	return err
}

func main() {
	shares, err := sharesOf(os.Getenv("CONFIG_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	p := &plugin{folder: "/var/lib/kubelet/device-plugins", shares: shares}
	for {
		log.Print(p.serve())
		time.Sleep(period)
	}
}

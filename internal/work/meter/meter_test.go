package meter_test

import (
	"strings"
	"sync"
	"testing"

	"pillion.dev/pillion/internal/work/meter"
)

func TestALargerInputMayTakeMoreSteps(t *testing.T) {
	if got := meter.New(0).Limit(); got != meter.BaseSteps {
		t.Errorf("a run of nothing may take %d steps", got)
	}
	if got := meter.New(3).Limit(); got != meter.BaseSteps+3*meter.StepsPerByte {
		t.Errorf("a run of three bytes may take %d steps", got)
	}
}

func TestARunEndsWithTheFirstStepTooMany(t *testing.T) {
	m := meter.New(0)
	if !m.Charge(meter.BaseSteps) || m.Exceeded() {
		t.Error("it ends before its limit")
	}
	if m.Charge(1) || !m.Exceeded() {
		t.Error("it goes on after its limit")
	}
	if m.Charge(0) {
		t.Error("it goes on later")
	}
	if got := m.Used(); got != meter.BaseSteps+1 {
		t.Errorf("it counts %d steps", got)
	}
}

func TestStepsOfSeveralGoroutinesAreAllCounted(t *testing.T) {
	m := meter.New(0)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				m.Charge(1)
			}
		})
	}
	all.Wait()
	if m.Used() != 8000 {
		t.Errorf("it counts %d of 8000 steps", m.Used())
	}
}

func TestARoomIsFullIfMoreIsTakenThanThereIs(t *testing.T) {
	m := meter.New(0)
	room := m.Room(10, 4)
	if !room.Take(6) || room.IsFull() {
		t.Error("it is full too early")
	}
	if room.Take(1) || !room.IsFull() {
		t.Error("it is not full")
	}
	if room.Taken() != 11 {
		t.Errorf("%d bytes are taken", room.Taken())
	}
	if m.Used() != 7*meter.PerByteMade {
		t.Errorf("making 7 bytes takes %d steps", m.Used())
	}
	if !strings.Contains(room.Problem(), "more than 10 bytes") {
		t.Error(room.Problem())
	}
}

func TestARoomIsFullIfTheRunHasTakenAllSteps(t *testing.T) {
	m := meter.New(0)
	room := m.Room(10, 0)
	if !room.Charge(meter.BaseSteps) || room.IsFull() {
		t.Error("it is full too early")
	}
	if room.Charge(1) || room.Take(0) || !room.IsFull() {
		t.Error("it is not full")
	}
}

func TestWithoutAMeterThereIsNoEnd(t *testing.T) {
	var m *meter.Meter
	var room *meter.Room
	const much = 1 << 60
	if !m.Charge(much) || !room.Charge(much) || !room.Take(much) || room.IsFull() {
		t.Error("there is one")
	}
}

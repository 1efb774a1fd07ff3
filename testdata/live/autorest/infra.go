package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"

	"live.test/infra"
)

// playInfra calls every operation of httpInfrastructure.json. All bodies are the boolean true.
func playInfra(ctx context.Context, url string, hc *http.Client, answers map[string]answer) error {
	client, err := infra.New(infra.WithBaseURL(url), infra.WithHTTPClient(hc))
	if err != nil {
		return err
	}
	api := reflect.TypeFor[infra.API]()
	receiver := reflect.ValueOf(client)
	for i := range api.NumMethod() {
		name := api.Method(i).Name
		method := receiver.MethodByName(name)
		args := []reflect.Value{reflect.ValueOf(ctx)}
		for in := 1; in < method.Type().NumIn(); in++ {
			body := reflect.New(method.Type().In(in))
			if err := json.Unmarshal([]byte("true"), body.Interface()); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			args = append(args, body.Elem())
		}
		results := method.Call(args)
		failure, _ := results[len(results)-1].Interface().(error)
		answers[name] = answerOf(failure)
	}
	return nil
}
